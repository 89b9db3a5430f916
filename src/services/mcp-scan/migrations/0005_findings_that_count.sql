-- What the findings of a scan weigh: with the suppressions of the moment they say what the scan counts as when it is read.
create table findings (
  scan_id bigint not null references scans on delete cascade,
  fingerprint text not null,
  severity text not null,
  -- The level of security that this finding alone gives a scan.
  level text not null
);
create index findings_of_scan on findings (scan_id);
insert into findings (scan_id, fingerprint, severity, level)
  select r.scan_id, f->>'fingerprint', f->>'severity',
      case when f->>'severity' = 'critical' or (f->>'severity' = 'high' and f->>'confidence' = 'high') then 'high'
        when f->>'severity' in ('high', 'medium') then 'medium' else 'low' end
    from results r cross join lateral json_array_elements(r.data->'findings') f;

-- The level where no finding counts: it is not 'low' where much of the source was not read, or nothing was seen. From here on the columns
-- security, security_reasoning, score, vulnerability_count and severities say what a scan counts as without suppressions.
alter table scans add column least_security text;
update scans s set least_security = case
    when coalesce((r.data->'coverage'->>'sourceBytes')::numeric, 0) > 0
      and (r.data->'coverage'->>'analysedBytes')::numeric / (r.data->'coverage'->>'sourceBytes')::numeric < 0.8
      or coalesce((r.data->'coverage'->>'sourceBytes')::numeric, 0) = 0 and json_array_length(r.data->'tools') = 0
    then 'medium' else 'low' end
  from results r where r.scan_id = s.scan_id and s.security is not null;

-- Whose scans a suppression holds for. Those of before hold for their makers' own scans: nobody noted whether they were
-- administrators, and what a member lets pass must not open everybody's scan gates.
alter table suppressions add column scope text not null default 'own';
alter table suppressions drop constraint suppressions_tenant_id_fingerprint_key;
create unique index suppressions_of_tenant on suppressions (tenant_id, fingerprint) where scope = 'tenant';
create unique index suppressions_of_members on suppressions (tenant_id, fingerprint, by_user) where scope = 'own';
-- For each finding of a list it is asked whether one of either kind holds.
create index suppressions_of_finding on suppressions (tenant_id, fingerprint);
