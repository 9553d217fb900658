-- What the queue reads of money that waits: void invoices of which a paid part is left, and refunds that are under way,
-- since those that were paid by hand wait for staff.
create index invoices_void_with_money on invoices (id) where status = 'void' and amount_paid > refund_reserved;
create index refunds_under_way on refunds (id) where status = 'processing';
drop index refunds_to_approve;
