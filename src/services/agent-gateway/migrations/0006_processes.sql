-- The processes of the gateway, and where each is reached by the others: sessions of the older era live in one of them.
create table processes (
  process_id text primary key,
  address text not null,
  seen_at timestamptz not null default now()
);
