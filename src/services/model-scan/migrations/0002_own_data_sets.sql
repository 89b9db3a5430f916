-- Data sets of tenants. Cases are kept as they are sent; a scan copies them when it starts.
create table data_sets (
  data_set_id text primary key,
  tenant_id text not null,
  owner_id text not null,
  visibility text not null default 'private' check (visibility in ('private', 'tenant')),
  name text not null,
  licence text not null,
  cases json not null,
  -- Number of cases, so that lists need not read them.
  size integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index data_sets_by_name on data_sets (tenant_id, name);

-- What people say where they think that a judge was wrong.
create table objections (
  scan_id text not null,
  number integer not null,
  note text not null,
  user_id text not null,
  created_at timestamptz not null,
  primary key (scan_id, number),
  foreign key (scan_id, number) references tests on delete cascade
);

-- The file of the report, once it was asked for.
alter table scans add column report_id text;

-- Failures as they come, newest first.
create index tests_done on tests (scan_id, done_at) where done_at is not null;
create index scans_by_model on scans (tenant_id, (model ->> 'modelName'), created_at);
