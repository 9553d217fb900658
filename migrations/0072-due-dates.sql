-- When staff last gave an open invoice another due date (docs/decisions/0072). Null: it has the one that it was issued with.

alter table invoices add column due_date_changed_at timestamptz;
