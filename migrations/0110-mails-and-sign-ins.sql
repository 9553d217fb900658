-- Mails that were sent again (docs/interface.md, Mails).

create index mails_resend_of on mails (resend_of) where resend_of is not null;
