-- Events that readers can ask for again, by topic, in order and without a gap.
create table topics (
  topic text primary key,
  last_seq bigint not null,
  -- Of its last event: when all is deleted.
  at timestamptz not null
);
create index topics_at on topics (at);

create table events (
  topic text not null references topics on delete cascade,
  seq bigint not null,
  event text not null,
  -- JSON text, as it goes to readers.
  data text not null,
  at timestamptz not null,
  primary key (topic, seq)
);

-- Where webhooks go.
create table webhook_destinations (
  destination_id uuid primary key,
  -- Whose it is: what may see and change it is decided by who made it.
  owner text not null,
  url text not null,
  -- Sealed: a list of secrets, the newest first, each with the moment from which it signs no more.
  secrets bytea not null,
  created_at timestamptz not null,
  disabled_at timestamptz,
  disabled_reason text,
  -- Since when no delivery has succeeded; null after a success.
  failing_since timestamptz,
  last_seq bigint not null default 0,
  waiting integer not null default 0,
  -- When the oldest message that waits is tried next; null where none waits.
  next_at timestamptz,
  -- Which process is sending, and until when nobody else may.
  lease uuid,
  leased_until timestamptz
);
create index webhook_destinations_owner on webhook_destinations (owner);
create index webhook_destinations_next on webhook_destinations (next_at) where next_at is not null;

create table webhook_messages (
  message_id text primary key,
  destination_id uuid not null references webhook_destinations on delete cascade,
  seq bigint not null,
  body text not null,
  status text not null check (status in ('waiting', 'delivered', 'dead')),
  -- Why it is dead.
  reason text,
  attempts integer not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz,
  unique (destination_id, seq)
);
create index webhook_messages_waiting on webhook_messages (destination_id, seq) where status = 'waiting';
create index webhook_messages_finished on webhook_messages (finished_at) where finished_at is not null;

create table webhook_attempts (
  message_id text not null references webhook_messages on delete cascade,
  attempt integer not null,
  at timestamptz not null,
  -- The answer's; null where there was none.
  status integer,
  error text,
  latency_ms integer not null,
  primary key (message_id, attempt)
);
