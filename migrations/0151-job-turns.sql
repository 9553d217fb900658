-- The order in which due jobs are worked on: one after the other of each organization, instead of first come, first served.

-- A due job has a turn among those that a person waits for, or among the others (src/kernel/jobs/claim.ts).
alter table jobs add column turn bigint, add column is_urgent boolean not null default false;

drop index jobs_due;
create index jobs_without_turn on jobs (run_at, id) where turn is null and parked_at is null;
create index jobs_turn on jobs (is_urgent, turn, id) where turn is not null and parked_at is null;
-- A job without an organization counts as one of its kind.
create index jobs_of_tenant on jobs (coalesce(organization_id::text, kind), is_urgent, turn) where parked_at is null;

-- The highest turn that came, of both kinds.
create table job_turns (
  is_only boolean primary key default true check (is_only),
  urgent bigint not null default 0,
  ordinary bigint not null default 0
) with (fillfactor = 10);
insert into job_turns default values;
grant select, update on job_turns to titular_system;
