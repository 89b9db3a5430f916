-- Processes that run live sessions. One that has not been seen for a while is gone, and so are its sessions.
create table processes (
  process_id uuid primary key,
  seen_at timestamptz not null
);

alter table streams
  -- Where it runs; a session that still waits for its sender moves to where the sender connects.
  add column process_id uuid,
  -- Where its events are posted, in events.webhook_destinations.
  add column callback_id uuid,
  -- Category → how it was looked for so far.
  add column coverage jsonb not null default '{}';

drop index streams_running;
create index streams_running on streams (process_id) where status = 'running';
