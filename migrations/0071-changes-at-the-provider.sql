-- Subscriptions that the provider charges are changed there (docs/decisions/0071).

alter table orders
  -- Of the trial that the subscription has begun with.
  add column subscription_trial_ends_at timestamptz,
  -- What it has billed since when, oldest first, once it was changed: the provider's charges may be reported late.
  add column subscription_plans jsonb check (jsonb_typeof(subscription_plans) = 'array');

update orders set subscription_trial_ends_at = subscription_anchor where subscription_status = 'trialing';
