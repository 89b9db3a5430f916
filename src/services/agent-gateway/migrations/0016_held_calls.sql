-- Whether a call was held for a person's approval, and the approval that was asked for here; null where the user was asked
-- at the client. Of entries of before only those that nobody approved are known, by their outcome.
alter table calls add column held boolean not null default false;
alter table calls add column approval_id uuid;
