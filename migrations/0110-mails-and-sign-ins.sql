-- Mails that were sent again (docs/interface.md, Mails), and from where an account has signed in with which program
-- (docs/decisions/0111): a sign-in from elsewhere is mailed.

-- To a member, or to an address that the organization has named or invited: its admins see these. Never to the vendor's staff.
alter table mails add column is_to_people boolean not null default false;
update mails m set is_to_people = true
 where m.organization_id is not null and m.user_id is not null
   and exists (select from collaborators c where c.organization_id = m.organization_id and c.user_id = m.user_id)
   and not exists (select from users u where u.id = m.user_id
                      and u.roles && '{administrator,support,sales,finance,operations,auditor}');
-- Until now the only mails to bare addresses besides those to the vendor's support.
update mails set is_to_people = true where user_id is null and kind = 'invite' and organization_id is not null;
create index mails_to_people on mails (organization_id, id) where is_to_people;
create index mails_to_people_kind on mails (organization_id, kind, id) where is_to_people;
create index mails_to_people_status on mails (organization_id, status, id) where is_to_people;
create index mails_to_people_email on mails (organization_id, email, id) where is_to_people;
create index mails_resend_of on mails (resend_of) where resend_of is not null;

-- The digest is of address and program, else of the address alone.
alter table known_addresses add column has_program boolean not null default false;
