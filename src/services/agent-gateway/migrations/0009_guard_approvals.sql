-- The approval of the action guard that is waited for, where a rule wants a checked identity.
alter table approvals add column guard_approval_id uuid;
