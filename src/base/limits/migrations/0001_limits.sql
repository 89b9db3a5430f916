-- Token buckets of rate limits. Unlogged: after a crash of the database all are full again.
create unlogged table buckets (
  key text primary key,
  tokens double precision not null,
  per_minute double precision not null,
  at timestamptz not null
);
