-- What the leaderboard shows: without the suppressions of any tenant, and only for the default branch.
alter table scans add column public_rating json;
-- Scans of before that no suppression can have changed; others come back with their next scan.
update scans s set public_rating = json_build_object(
    'ratings', json_build_object(
      'security', json_build_object('level', security, 'reasoning', security_reasoning),
      'complexity', json_build_object('level', complexity, 'reasoning', complexity_reasoning),
      'sensitivity', json_build_object('level', sensitivity, 'reasoning', sensitivity_reasoning)),
    'score', score, 'vulnerabilityCount', vulnerability_count, 'severities', severities,
    'flaggedCount', flagged_count, 'toolCount', tool_count, 'serverCount', server_count)
  where scan_type = 'github' and outcome = 'completed' and coalesce(revision, '') = ''
    and not exists (select from suppressions u where u.tenant_id = s.tenant_id);
