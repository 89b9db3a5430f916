-- Names as the code uses them: the options of a job, and the sensitivity (threshold and strictness) of a result.
alter table optimization_jobs rename column wish to options;
update optimization_jobs set results = (
  select coalesce(json_agg((each.result::jsonb - 'bar') || jsonb_build_object('sensitivity', each.result -> 'bar')
    order by each.place), '[]'::json)
  from json_array_elements(results) with ordinality as each (result, place)
) where results is not null;
