-- What lists are sorted by and asked for as ranges (docs/decisions/0080). Times of creation and change grow, so that their
-- entries are added at the right edge.

create index quotes_created on quotes (organization_id, created_at, id);
create index quotes_updated on quotes (organization_id, updated_at, id);
create index quotes_valid_until on quotes (organization_id, valid_until, id);

create index orders_updated on orders (organization_id, updated_at, id);

create index invoices_created on invoices (organization_id, created_at, id);
create index invoices_updated on invoices (organization_id, updated_at, id);
create index invoices_due on invoices (organization_id, due_date, id);

create index tax_invoices_created on tax_invoices (organization_id, created_at, id);
create index tax_invoices_updated on tax_invoices (organization_id, updated_at, id);

create index credit_notes_created on credit_notes (organization_id, created_at, id);
create index credit_notes_updated on credit_notes (organization_id, updated_at, id);

create index payments_created on payments (organization_id, created_at, id);
create index payments_updated on payments (organization_id, updated_at, id);

create index refunds_created on refunds (organization_id, created_at, id);
create index refunds_updated on refunds (organization_id, updated_at, id);

create index entitlements_created on entitlements (organization_id, created_at, id);
create index entitlements_updated on entitlements (organization_id, updated_at, id);
create index entitlements_expiry on entitlements (organization_id, expires_at, id) where expires_at is not null;

create index licenses_created on licenses (organization_id, created_at, id);
create index licenses_updated on licenses (organization_id, updated_at, id);
create index licenses_expiry on licenses (organization_id, expires_at, id) where expires_at is not null;

create index environments_created on environments (organization_id, created_at, id);
create index environments_updated on environments (organization_id, updated_at, id);

create index services_created on services (organization_id, created_at, id);
create index services_updated on services (organization_id, updated_at, id);

create index contracts_created on contracts (organization_id, created_at, id);
create index contracts_updated on contracts (organization_id, updated_at, id);
create index contracts_end on contracts (organization_id, end_date, id) where end_date is not null;

create index tickets_created on tickets (organization_id, created_at, id);
create index tickets_updated on tickets (organization_id, updated_at, id);
