-- Work that lasts: one row a run, of every service. README.md beside this folder shows its states.
create sequence queue_numbers;

create table runs (
  run_id uuid primary key,
  -- The order in which runs were made; lists are paged by it.
  number bigint generated always as identity,
  kind text not null,
  tenant_id text not null,
  user_id text not null,
  -- What the run is about, for lists: a policy group, an evaluation.
  subject text,
  -- The caller's own key: starting with the same one again makes no second run.
  start_key text,
  status text not null check (status in ('queued', 'running', 'paused', 'waiting', 'completed', 'failed', 'cancelled')),
  -- The place in the queue: rounds that the users share (start-time fair queueing), then first come, first served.
  turn bigint not null default 1,
  queue_number bigint not null default nextval('queue_numbers'),
  -- After a crash it is not taken before this.
  not_before timestamptz,
  input json not null,
  checkpoint json,
  result json,
  done double precision not null default 0,
  total double precision,
  step text,
  waiting_for text,
  error_code text,
  error text,
  crashes integer not null default 0,
  -- Who executes it: without this claim nothing can be written. It may outlast the status for a moment.
  claim uuid,
  lease_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  updated_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz
);

create unique index runs_by_start_key on runs (kind, tenant_id, user_id, start_key) where start_key is not null;
create index runs_queued on runs (kind, turn, queue_number) where status = 'queued';
create index runs_under_way on runs (kind, tenant_id, user_id)
  where status in ('queued', 'running', 'paused', 'waiting');
create index runs_claimed on runs (kind, lease_until) where claim is not null;
create index runs_listed on runs (kind, tenant_id, number desc);
create index runs_of_subject on runs (kind, subject, number desc) where subject is not null;
create index runs_ended on runs (kind, finished_at) where finished_at is not null;
