-- Variables among arguments (`docker run -e NAME=value`) stood here in clear. Their values are sealed in `secrets`, with
-- all arguments, so that nothing is lost.
update scans set config = jsonb_set(config::jsonb, '{args}', (
    select coalesce(jsonb_agg(regexp_replace(a, '^((--env=|-e)?[A-Za-z_][A-Za-z0-9_]*=).+$', '\1********') order by n), '[]')
      from json_array_elements_text(config->'args') with ordinality as t (a, n)
  ))::json
  where secrets is not null and json_typeof(config->'args') = 'array' and config->>'args' ~ '[A-Za-z_]=';
