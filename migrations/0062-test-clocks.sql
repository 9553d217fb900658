-- A test clock of an organization (docs/decisions/0062): its time, how far it is to be moved, and jobs that wait for it.

alter table organizations add column has_test_clock boolean not null default false;
-- Beside the counter, because every change locks and reads this row first. Null: the organization lives in real time.
alter table event_sequences add column test_clock timestamptz;

create table test_clocks (
  organization_id bigint primary key references organizations (id) deferrable initially deferred,
  started_at timestamptz not null,
  -- While it is moved: how far, and since when in real time.
  advancing_to timestamptz,
  advancing_since timestamptz,
  -- Why the last advance stopped before its end.
  error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
call wall('test_clocks');
revoke all on test_clocks from titular_app;

-- When a job of such an organization is due by its clock. Until then its run_at is infinity.
alter table jobs add column waits_for timestamptz;
create index jobs_waiting on jobs (organization_id, waits_for) where waits_for is not null;

-- The access check learns the time of the organization. The subquery runs only for those with a clock.
create or replace view door as
select o.id as organization_id, c.user_id, c.role, c.weight, c.scopes, c.started_at, c.expired_at, c.ticket_visibility,
       case when o.has_test_clock
            then (select s.test_clock from event_sequences s where s.organization_id = o.id) end as test_clock
  from organizations o
       left join collaborators c on c.organization_id = o.id and c.user_id is not null and c.role <> 'pending'
 where o.deleted_at is null;
