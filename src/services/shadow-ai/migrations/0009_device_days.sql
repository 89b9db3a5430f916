-- On which days a device was heard of, from when to when: who was active in a window of the past.
create table device_days (
  tenant_id uuid not null,
  device_uid text not null,
  day_at timestamptz not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (tenant_id, device_uid, day_at)
);
create index device_days_by_age on device_days (day_at);

insert into device_days
select b.tenant_id, p.device_uid, date_trunc('day', b.first_at, 'UTC'), min(b.first_at), max(b.last_at)
from event_blocks b join processes p on p.id = b.process_id
group by 1, 2, 3;
