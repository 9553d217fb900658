// The dependencies that are not installed. Many are read when they are first needed, and the first payment would be
// late to notice that one is missing.
import { readFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'

/** `packageJson`: the path of the file with the dependencies. */
export async function missingPackages(packageJson: string): Promise<string[]> {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(await readFile(packageJson, 'utf8'))
  return Object.keys(dependencies).filter((name) => !isInstalled(name, packageJson))
}

function isInstalled(name: string, from: string): boolean {
  try {
    return findPackageJSON(name, from) !== undefined
  } catch {
    return false
  }
}
