-- Channels of one rule alone, its targets: they are told in place of those of the tenant.
alter table channels
  -- Null: of the tenant.
  add column rule_id uuid,
  -- When it stopped to be a target; it stays until what waits to be sent there has been sent.
  add column left_at timestamptz;
create index channels_of_rule on channels (rule_id) where rule_id is not null;
create index channels_left on channels (left_at) where left_at is not null;
