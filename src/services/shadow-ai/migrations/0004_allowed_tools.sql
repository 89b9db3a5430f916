-- Tools that the tenant has sanctioned: for a while or for good, with somebody who answers for it.
create table allowed_tools (
  tenant_id uuid not null,
  rule_id text not null,
  owner text not null,
  reason text not null,
  ends_at timestamptz,
  allowed_by text not null,
  created_at timestamptz not null,
  primary key (tenant_id, rule_id)
);
create index detections_of_rule on detections (tenant_id, rule_id, started_at);
