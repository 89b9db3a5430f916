-- The process in which a call waits for the decision, while it waits, and the session that it belongs to.
alter table approvals add column process_id text;
alter table approvals add column session_id text not null default '';
-- Whether the session ended with that process: then the same call can never be sent again.
alter table approvals add column ends_with_process boolean not null default false;
-- Why nobody can decide any more, where that is not the time.
alter table approvals add column note text;
create index approvals_held on approvals (process_id) where process_id is not null;
create index approvals_pending on approvals (expires_at) where status = 'pending';
-- A call that is held by the action guard is one approval, however often it is sent.
create index approvals_at_guard on approvals (guard_approval_id) where guard_approval_id is not null;
