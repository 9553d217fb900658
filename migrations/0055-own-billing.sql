-- Prices that are billed again, and the service's own billing of the orders that have them (docs/decisions/0061).

alter table prices
  add column interval text check (interval in ('month', 'year')),
  add check (interval is null or term_months is null);

-- Null: as the settings say.
alter table organizations add column renewal_invoice_days integer check (renewal_invoice_days between 0 and 60);

alter table orders
  add column subscription_collection_method text
    check (subscription_collection_method in ('charge_automatically', 'send_invoice')),
  -- The next four are only of the service's own billing. Its periods are counted from this moment.
  add column subscription_anchor timestamptz,
  -- The end of the latest period that has an invoice.
  add column subscription_invoiced_until timestamptz,
  -- Its lines since a change of the plan; null: those of the order.
  add column subscription_line_items jsonb,
  -- When the job that bills has something to do.
  add column subscription_next_at timestamptz,
  add check ((subscription_anchor is null) = (subscription_invoiced_until is null)),
  add check (subscription_next_at is null or subscription_anchor is not null),
  -- Lines may be free.
  drop constraint orders_subscription_amount_check,
  add constraint orders_subscription_amount_check check (subscription_amount >= 0);
update orders set subscription_collection_method = 'charge_automatically' where subscription_status is not null;
alter table orders add check ((subscription_status is null) = (subscription_collection_method is null));
-- Over all organizations: what that job looks for.
create index orders_subscription_next on orders (subscription_next_at, organization_id, id)
  where subscription_next_at is not null;
