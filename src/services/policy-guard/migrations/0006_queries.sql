alter table guards
  -- observe: judges and tells nobody but the log.
  add column mode text not null default 'enforce' check (mode in ('enforce', 'observe')),
  -- What the query log keeps of a text, where log_requests is on.
  add column log_text text not null default 'full' check (log_text in ('full', 'hash'));

alter table guard_metrics
  add column observed_total bigint not null default 0,
  add column allowed_total bigint not null default 0;

-- Texts that a guard lets pass without judging them.
create table allow_list (
  entry_id uuid primary key,
  guard_uuid text not null references guards on delete cascade,
  kind text not null check (kind in ('exact', 'pattern')),
  content text not null,
  reason text not null,
  expires_at timestamptz,
  created_by text not null,
  created_at timestamptz not null
);
create index allow_list_of_guard on allow_list (guard_uuid, created_at desc);

-- One entry for each evaluation that is logged. No foreign key to guards: the log outlives them.
create table queries (
  -- Of version 7: its order is that of time, so that no index needs a time of its own.
  query_id uuid primary key,
  tenant_id text not null,
  -- Of the guard.
  owner_id text not null,
  guard_uuid text not null,
  guard_version integer not null,
  -- 0 passed, 1 flagged, 2 observed, 3 allowed
  outcome smallint not null,
  -- Null where it is not kept; its first 8,000 characters else.
  text text,
  text_hash text,
  text_length integer not null,
  messages integer not null,
  door text not null,
  user_id text,
  api_key_id text,
  request_id text,
  trace_id text,
  from_cache boolean not null,
  latency_ms real not null,
  allowed_by uuid,
  -- What was found, as queries/found.ts packs it.
  found json not null,
  -- Numbers of the words of the text, as queries/words.ts makes them: what a search looks in.
  words integer[] not null
);
create index queries_of_tenant on queries (tenant_id, outcome, query_id desc);
create index queries_of_owner on queries (owner_id, outcome, query_id desc);
create index queries_of_guard on queries (guard_uuid, outcome, query_id desc);
create index queries_words on queries using gin (words);

-- The policies that an entry violated, by name; most entries have none.
create table query_policies (
  query_id uuid not null,
  tenant_id text not null,
  owner_id text not null,
  guard_uuid text not null,
  policy text not null,
  outcome smallint not null,
  primary key (query_id, policy)
);
create index query_policies_of_tenant on query_policies (tenant_id, policy, outcome, query_id desc);
create index query_policies_of_owner on query_policies (owner_id, policy, outcome, query_id desc);
create index query_policies_of_guard on query_policies (guard_uuid, policy, outcome, query_id desc);

-- What people said of entries; the text is kept here too, so that it can be learned from when the log has forgotten it.
create table query_labels (
  query_id uuid not null,
  guard_uuid text not null references guards on delete cascade,
  group_uuid uuid not null,
  policy_id text not null,
  policy_name text not null,
  violates boolean not null,
  text text not null,
  labelled_by text not null,
  labelled_at timestamptz not null,
  primary key (query_id, group_uuid, policy_id)
);
create index query_labels_of_guard on query_labels (guard_uuid, labelled_at desc);

-- Verdicts by guard and day (UTC), counted whether they are logged or not. No foreign key: a deleted guard's days stay.
create table guard_days (
  day date not null,
  guard_uuid text not null,
  tenant_id text not null,
  owner_id text not null,
  requests bigint not null,
  flagged bigint not null,
  observed bigint not null,
  allowed bigint not null,
  cache_hits bigint not null,
  primary key (guard_uuid, day)
);
create index guard_days_of_tenant on guard_days (tenant_id, day);
create index guard_days_of_owner on guard_days (owner_id, day);

-- The same by group (policy is empty) and by violated policy.
create table policy_days (
  day date not null,
  guard_uuid text not null,
  group_uuid text not null,
  policy text not null,
  requests bigint not null,
  flagged bigint not null,
  observed bigint not null,
  primary key (guard_uuid, day, group_uuid, policy)
);
