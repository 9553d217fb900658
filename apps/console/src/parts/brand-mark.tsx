// The vendor's logo, or their name without one.
import { Text } from '@mantine/core'
import type { GetBrandResult as Brand } from '@titular/sdk'

export function BrandMark({ brand }: { brand: Brand | null }) {
  if (!brand?.logo_url)
    return (
      <Text fw={700} truncate maw={220}>
        {brand?.name ?? 'Titular'}
      </Text>
    )
  return (
    <img
      src={new URL(brand.logo_url).pathname + new URL(brand.logo_url).search}
      alt={brand.name}
      height={32}
      style={{ maxWidth: 200 }}
    />
  )
}
