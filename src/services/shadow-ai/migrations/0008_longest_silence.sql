-- Between two connections of a pair there is never more time than that; perhaps less, where connections came late. A window
-- as long as that, between the first and the last time, has a connection in it, and its days need not be looked up. See
-- docs/decisions/059-telemetry-at-speed.md.
alter table connect_pairs add column longest_silence interval;
update connect_pairs set longest_silence = last_at - first_at;
alter table connect_pairs alter column longest_silence set not null;
