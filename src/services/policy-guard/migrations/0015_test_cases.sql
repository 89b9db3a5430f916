-- Texts that an author keeps with a policy, with what the policy should say of each.
create table policy_test_cases (
  group_uuid uuid not null references policy_groups on delete cascade,
  -- Kept while the group is: a policy that comes back from the history has them again.
  policy_id text not null,
  cases jsonb not null,
  primary key (group_uuid, policy_id)
);
