-- What an entitlement gives (quantity, features), and why and since when it has its status (docs/decisions/0054).

alter table products add column features jsonb not null default '[]';

alter table entitlements
  add column quantity bigint not null default 1 check (quantity >= 1),
  add column features jsonb not null default '[]',
  -- Null: as it was created, or since before there were codes.
  add column status_reason_code text check (status_reason_code in
    ('by_staff', 'expired', 'renewed', 'refunded', 'order_cancelled', 'subscription_ended')),
  add column status_reason text,
  add column status_since timestamptz not null default now(),
  -- What staff want done later: act, at, reason.
  add column scheduled jsonb;

-- Quantities are those of the lines that were sold; the audit log has the last change of the status.
update entitlements e set
  quantity = coalesce((
    select (o.line_items -> e.quote_line ->> 'quantity')::bigint from orders o
     where o.organization_id = e.organization_id and o.id = e.order_id), 1),
  status_since = coalesce((
    select max(a.at) from audit_log a
     where a.organization_id = e.organization_id and a.resource = 'entitlement' and a.resource_id = e.id
       and a.after ? 'status'), e.created_at);

-- Checks by product read its entitlements, and those that were entered by the product's name; checks by feature read
-- those that have any.
create index entitlements_product on entitlements (organization_id, product_id, id) where product_id is not null;
create index entitlements_product_name on entitlements (organization_id, product_name, id) where product_id is null;
create index entitlements_featured on entitlements (organization_id, id) where features <> '[]';
-- For the job: times are written with the same digits everywhere, so that they sort as text.
create index entitlements_scheduled on entitlements ((scheduled ->> 'at')) where scheduled is not null;
