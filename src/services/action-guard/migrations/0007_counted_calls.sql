-- Calls that a rule counts over all sessions ("no more than three refunds per customer per month"), each once for every
-- value that says for whom it is; an empty key where the call does not say it.
create table counted_calls (
  tenant_id uuid not null,
  counter text not null,
  call_id uuid not null,
  key text not null,
  at timestamptz not null,
  primary key (tenant_id, counter, call_id, key)
);
create index counted_calls_by_key on counted_calls (tenant_id, counter, key, at);
create index counted_calls_by_age on counted_calls (at);

-- Counters whose earlier calls were taken over from the log.
create table counters (
  tenant_id uuid not null,
  counter text not null,
  since timestamptz not null,
  primary key (tenant_id, counter)
);
