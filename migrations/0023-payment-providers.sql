-- An id of a payment provider says whose it is, so that a legal entity that changes its provider asks nobody for the ids of
-- another (docs/decisions/0035). Until now ids were kept without: those of the sandbox are 24 hexadecimal characters behind
-- their prefix, which those of Stripe are not. The sandbox knows nothing of its records from before (docs/decisions/0032),
-- so their provider is one that is not in use.

alter table payment_references add column provider text;
update payment_references
  set provider = case when reference ~ '^[a-z]+_[0-9a-f]{24}$' then 'former-sandbox' else 'stripe' end;
alter table payment_references
  alter column provider set not null,
  drop constraint payment_references_pkey,
  add primary key (company, reference, provider);

-- Null beside a customer: entered by hand.
alter table organizations add column payment_customer_provider_br text, add column payment_customer_provider_global text;
update organizations set
  payment_customer_provider_br =
    case when payment_customer_id_br ~ '^cus_[0-9a-f]{24}$' then 'former-sandbox' else 'stripe' end
  where payment_customer_id_br is not null;
update organizations set
  payment_customer_provider_global =
    case when payment_customer_id_global ~ '^cus_[0-9a-f]{24}$' then 'former-sandbox' else 'stripe' end
  where payment_customer_id_global is not null;

-- Who sent an event is a name too; one that is rightly signed and cannot be read is kept with the reason.
update provider_events set source = case when dedupe_key ~ '^evt_[0-9a-f]{24}$' then 'former-sandbox' else 'stripe' end
 where source = 'payment';
alter table provider_events
  add column error text,
  alter column event drop not null,
  add check ((event is null) = (error is not null));

-- Jobs that wait are called as their areas are, and say the provider.
update jobs set kind = case kind
    when 'quotes/open-checkout' then 'payments/open-checkout'
    when 'quotes/replace-checkout' then 'payments/replace-checkout'
    when 'quotes/close-checkout' then 'payments/close-checkout'
    when 'webhooks/payment' then 'payments/handle-event'
    when 'webhooks/reconcile' then 'payments/reconcile'
    when 'webhooks/provisioning' then 'environments/settle-report' end
 where kind in ('quotes/open-checkout', 'quotes/replace-checkout', 'quotes/close-checkout',
                'webhooks/payment', 'webhooks/reconcile', 'webhooks/provisioning');
update jobs set payload = payload || '{"reference": null}' where kind = 'payments/close-checkout' and not payload ? 'reference';
update jobs set payload = jsonb_build_object('order_id', payload -> 'resource_id')
 where kind = 'subscriptions/cancel' and payload ? 'resource_id';
update jobs set payload = payload || jsonb_build_object('provider',
    case when payload ->> 'reference' ~ '^[a-z]+_[0-9a-f]{24}$' then 'former-sandbox' else 'stripe' end)
 where kind in ('webhooks/settle', 'subscriptions/bill', 'subscriptions/abandon');
update jobs set
    kind = case payload ->> 'resource' when 'invoice' then 'payments/look' when 'refund' then 'payments/look-at-refund'
                                       else 'subscriptions/look' end,
    payload = payload - 'resource' - 'resource_id' - 'news' || case payload ->> 'resource'
      when 'invoice' then jsonb_build_object('invoice_id', payload -> 'resource_id',
                                             'has_failed', coalesce(payload ->> 'news' = 'payment_failed', false))
      when 'refund' then jsonb_build_object('refund_id', payload -> 'resource_id')
      else jsonb_build_object('order_id', payload -> 'resource_id') end
 where kind = 'webhooks/settle';
