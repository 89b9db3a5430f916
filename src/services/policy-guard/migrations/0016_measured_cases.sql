-- What the test cases of a policy show of it: null until it is measured anew.
alter table policy_test_cases add column measured jsonb;
