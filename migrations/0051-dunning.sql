-- Overdue invoices: reminders, grace, suspension and its end, fine and interest (docs/decisions/0057).

alter table invoices
  add column reminded_at timestamptz,
  -- The due date that was announced as overdue, and that of the last reminder with the days of its step.
  add column overdue_noted date,
  add column reminded_for date,
  add column reminded_days integer,
  -- The invoice whose fine and interest it bills.
  add column late_charges_of bigint,
  add constraint invoices_late_charges_of_fkey
    foreign key (organization_id, late_charges_of) references invoices (organization_id, id);
create index invoices_late_charges on invoices (organization_id, late_charges_of) where late_charges_of is not null;

alter table entitlements
  -- The next payment of a subscription that runs would extend it: until then it is suspended, and does not expire.
  add column renews boolean not null default false,
  add column suspends_at timestamptz,
  add column suspends_reason text,
  drop constraint entitlements_status_reason_code_check,
  add constraint entitlements_status_reason_code_check check (status_reason_code in
    ('by_staff', 'expired', 'renewed', 'refunded', 'order_cancelled', 'subscription_ended', 'payment_overdue', 'payment_settled'));
create index entitlements_suspends on entitlements (suspends_at) where status = 'active' and suspends_at is not null;
create index entitlements_awaiting on entitlements (organization_id, id) where renews or suspends_at is not null;
alter table licenses add column renews boolean not null default false;

-- Until when staff have put off reminders and suspension, why, and whether what is suspended is restored meanwhile.
alter table organizations add column dunning_hold jsonb;

-- One row for each legal entity. Invoices that were due before `starts_on` are left alone.
create table dunning_schedules (
  company text primary key check (company in ('entity_br', 'entity_global')),
  schedule jsonb not null,
  starts_on date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
insert into dunning_schedules (company, schedule, starts_on)
  select company, '{"reminder_days": [-3, 1, 7, 14], "grace_days": 15, "suspends": true}',
         case when exists (select from invoices) then current_date end
    from unnest(array['entity_br', 'entity_global']) as company;
grant select on dunning_schedules to titular_app;
grant select, update on dunning_schedules to titular_system;

-- The open invoices, with the moment when there is something to do about each; null: nothing more.
create table dunning_cases (
  organization_id bigint not null references organizations (id),
  invoice_id bigint not null,
  company text not null check (company in ('entity_br', 'entity_global')),
  next_at timestamptz,
  primary key (organization_id, invoice_id),
  foreign key (organization_id, invoice_id) references invoices (organization_id, id)
);
create index dunning_cases_next on dunning_cases (next_at) where next_at is not null;
call wall('dunning_cases');
grant delete on dunning_cases to titular_app, titular_system;

insert into dunning_cases (organization_id, invoice_id, company, next_at)
  select organization_id, id, company, now() from invoices where status = 'open';

-- Entitlements that the next payment of a subscription that runs would extend.
update entitlements e set renews = true, suspends_at = e.expires_at + interval '15 days'
  from orders o, lateral (
    select max(i.period_end) as until from invoices i
     where i.organization_id = o.organization_id and i.order_id = o.id and i.payment_status = 'paid') p
 where o.organization_id = e.organization_id and o.id = e.order_id and e.status in ('active', 'suspended')
   and o.subscription_status in ('active', 'trialing', 'past_due', 'unpaid') and o.status not in ('cancelled', 'refunded')
   and (o.subscription_ends_at is null or o.subscription_ends_at > p.until)
   and e.expires_at >= p.until and e.expires_at < p.until + ('1 ' || coalesce(o.subscription_interval, 'month'))::interval;
update licenses l set renews = true from entitlements e
 where e.organization_id = l.organization_id and e.id = l.entitlement_id and e.renews and l.expires_at = e.expires_at;
