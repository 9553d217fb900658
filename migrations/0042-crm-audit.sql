-- What salespeople wrote into the CRM is the vendor's own: members do not see it in their organization's audit log.
create policy crm_is_for_staff on audit_log as restrictive for select to titular_app
  using (resource <> 'crm_proposal' or current_setting('app.staff', true) = 'on');
