-- The newest blocked actions, of which there are few among many.
create index logs_blocked on logs (tenant_id, at desc, log_id desc) where not allowed;
