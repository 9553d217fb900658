-- A refund is one tracked act: when it was settled, and what is to become of its tax invoices (docs/decisions/0059).

alter table refunds
  add column settled_at timestamptz,
  add column tax_invoice_action text check (tax_invoice_action in ('cancel', 'keep'));

-- Settled refunds are not changed any more.
update refunds set settled_at = updated_at where status <> 'processing';
