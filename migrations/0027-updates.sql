-- Which releases of a product an entitlement covers: its product, how long it gets updates, and from which channels.

alter table products
  -- The update period of what is sold, from the payment on; null: as long as the entitlement is active.
  add column update_months integer check (update_months between 1 and 240);

alter table entitlements
  -- Null for one that was entered by hand; its product is then found by the name.
  add column product_id bigint references products (id),
  add column updates_until timestamptz,
  add column release_channels text[] not null default '{stable}'
    check (release_channels <@ array['stable', 'beta'] and cardinality(release_channels) > 0);

-- Lines from the catalogue have named their product before; entitlements have not.
update entitlements e set product_id = p.id
  from quotes q, products p
 where q.organization_id = e.organization_id and q.id = e.quote_id
   and p.id = (q.line_items -> e.quote_line ->> 'product_id')::bigint;
