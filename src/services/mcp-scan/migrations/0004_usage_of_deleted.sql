-- What deleted scans have used: it was spent all the same.
create table deleted_usage (
  scan_id bigint primary key,
  owner_id uuid not null,
  filename text not null,
  outcome text not null,
  upload_time timestamptz not null,
  prompt_tokens bigint not null,
  completion_tokens bigint not null,
  llm_cost double precision not null
);
create index deleted_usage_of_owner on deleted_usage (owner_id);
