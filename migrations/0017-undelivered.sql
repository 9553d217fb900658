-- What has been failing, and since when, before it is given up; and quotes that are paid and wait for what was bought.

alter table jobs add column failing_since timestamptz;
update jobs set failing_since = created_at where last_error is not null and parked_at is null;
create index jobs_failing on jobs (failing_since, id) where failing_since is not null;

create index quotes_undelivered on quotes (updated_at, organization_id, id) where status = 'paid';
