-- A word's number is another one each day (UTC), so that a search reads the lists of the newest days alone: the number
-- of the word, exclusive-or that of the day, as queries/words.ts makes it.
create function key_of_day (query_id uuid) returns integer language sql immutable parallel safe as $$ select (
  (('x' || substr(replace(query_id::text, '-', ''), 1, 12))::bit(48)::bigint / 86400000 * 2654435761) & 4294967295
)::bit(32)::integer $$;

drop index queries_words;
update queries set words = array(select word # key_of_day(query_id) from unnest(words) as w (word));
create index queries_words on queries using gin (words);
