-- What a payment of a subscription pays for is a period (docs/decisions/0053).

alter table invoices
  add column period_start timestamptz,
  add column period_end timestamptz,
  add constraint invoices_period check ((period_start is null) = (period_end is null) and period_end > period_start);

-- When the provider ends it, if it was cancelled for the end of its period.
alter table orders add column subscription_ends_at timestamptz;

-- Set when a payment that came after its end put a contract into force again; its next end is another document.
alter table contracts add column reinstated_at timestamptz;
