// Who sends and who sells: without these settings the service does not start outside the sandbox.
export const VENDOR_IDENTITY = {
  MAIL_FROM: 'Vendedora <contato@vendedora.example>',
  ENTITY_BR_NAME: 'Vendedora Ltda.',
  ENTITY_BR_TAX_ID: '11.222.333/0001-81',
  ENTITY_BR_ADDRESS: 'Rua das Flores, 10, São Paulo',
  ENTITY_GLOBAL_NAME: 'Seller Inc.',
  ENTITY_GLOBAL_TAX_ID: '12-3456789',
  ENTITY_GLOBAL_ADDRESS: '1 Main Street, Dover',
}
