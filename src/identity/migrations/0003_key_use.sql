-- Within a minute: written behind, once a minute at most.
alter table api_keys add column last_used_at timestamptz;
