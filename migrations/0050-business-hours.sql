-- Business hours of the legal entities and of contracts, and what a ticket's clock needs of them; warnings before a breach;
-- the queue of tickets that nobody is assigned to (docs/decisions/0056).

-- One row for each legal entity; null is round the clock.
create table business_hours (
  company text primary key check (company in ('entity_br', 'entity_global')),
  business_hours jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
insert into business_hours (company) values ('entity_br'), ('entity_global');
grant select on business_hours to titular_app;
grant select, update on business_hours to titular_system;

-- Null: those of the legal entity.
alter table contracts add column business_hours jsonb;

alter table tickets
  -- Those of the time in which it was opened; null is round the clock.
  add column business_hours jsonb,
  add column first_response_warn_at timestamptz,
  add column resolution_warn_at timestamptz,
  add column first_response_warned boolean not null default false,
  add column resolution_warned boolean not null default false,
  -- The next deadline that is still open while the clock runs.
  add column next_due_at timestamptz generated always as (
    case when clock_stopped_at is null
      then least(case when first_responded_at is null then first_response_due_at end, resolution_due_at) end) stored;
-- Over all organizations: what the clock's job looks for, and the queue.
create index tickets_first_response_warn on tickets (first_response_warn_at, organization_id, id)
  where clock_stopped_at is null and first_responded_at is null and not first_response_breached
    and not first_response_warned and first_response_warn_at is not null;
create index tickets_resolution_warn on tickets (resolution_warn_at, organization_id, id)
  where clock_stopped_at is null and not resolution_breached and not resolution_warned and resolution_warn_at is not null;
create index tickets_unassigned on tickets (next_due_at, id)
  where assignee_id is null and status in ('open', 'in_progress', 'waiting');
