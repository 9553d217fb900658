-- Mails that were sent again (docs/interface.md, Mails), and from where an account has signed in with which program
-- (docs/decisions/0111): a sign-in from elsewhere is mailed.

-- The organization's own list of them, by what it is filtered.
create index mails_organization_kind on mails (organization_id, kind, id);
create index mails_organization_status on mails (organization_id, status, id);
create index mails_organization_email on mails (organization_id, email, id);
create index mails_resend_of on mails (resend_of) where resend_of is not null;

-- The digest is of address and program, else of the address alone.
alter table known_addresses add column has_program boolean not null default false;
