-- Payments that are asked about as well as told of, and orders that are paid again and again.

-- Whoever was not settled is looked at once this moment lies far enough back; null: nothing more to learn.
alter table payment_references
  add column created_at timestamptz not null default now(),
  add column check_after timestamptz default now(),
  drop constraint payment_references_resource_check,
  add constraint payment_references_resource_check check (resource in ('invoice', 'refund', 'subscription'));
create index payment_references_watched on payment_references (check_after) where check_after is not null;

-- One subscription at a time: what was asked for, and how the payment provider calls it and its state.
alter table orders
  add column subscription_status text,
  add column subscription_reference text,
  add column subscription_interval text check (subscription_interval in ('month', 'year')),
  add column subscription_amount numeric check (subscription_amount > 0),
  add column subscription_url text,
  add column subscription_requested_at timestamptz,
  add check (scale(subscription_amount) = currency_digits(currency)),
  add check ((subscription_status is null) = (subscription_requested_at is null));
