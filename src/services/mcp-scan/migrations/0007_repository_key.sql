-- Which repository a scan is of: GitHub takes its names without regard to case, other hosts may not.
alter table scans add column repository_key text generated always as (
  case when github_url like 'https://github.com/%' then lower(github_url) else github_url end) stored;
drop index scans_by_commit;
create index scans_by_commit on scans (repository_key, commit_hash) where outcome = 'completed';
drop index scans_published;
create index scans_published on scans (repository_key, finished_at desc) where publish and outcome = 'completed';

-- The leaderboard puts a repository of which nothing was read behind those of the same level.
update scans s set public_rating = jsonb_set(s.public_rating::jsonb, '{wasRead}', to_jsonb(
    coalesce((r.data->'coverage'->>'analysedBytes')::numeric, 0) > 0 or json_array_length(r.data->'tools') > 0))::json
  from results r where r.scan_id = s.scan_id and s.public_rating is not null;
