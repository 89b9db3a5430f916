-- What a counted call adds to a sum over all sessions ("no more than $5,000 of refunds per customer per day"), once for each
-- currency or unit; a call of which it is not known has no row here.
create table counted_amounts (
  tenant_id uuid not null,
  counter text not null,
  call_id uuid not null,
  kind text not null,
  amount numeric not null,
  at timestamptz not null,
  primary key (tenant_id, counter, call_id, kind)
);
create index counted_amounts_by_age on counted_amounts (at);
