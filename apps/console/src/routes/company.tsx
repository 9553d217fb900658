// The choice of the vendor's legal entity, which requests name where no record decides it, and whose brand is shown.
import { NativeSelect } from '@mantine/core'
import { usePerson } from '../context.tsx'
import { chooseCompany, COMPANIES, useChosenCompany } from '../entity.ts'

export function ChoiceOfCompany() {
  const { texts } = usePerson()
  const chosen = useChosenCompany()
  return (
    <NativeSelect
      mt="md"
      px="xs"
      label={texts.app.company}
      value={chosen ?? ''}
      data={[
        { value: '', label: texts.app.companyOfCountry },
        ...COMPANIES.map((value) => ({ value, label: texts.values[value] })),
      ]}
      onChange={({ currentTarget: { value } }) => chooseCompany(value)}
    />
  )
}
