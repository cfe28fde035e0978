import type { z } from 'zod';

/** The folder of `config.ts`, and the name of the schema in it. */
const declarations = {
  gateway: ['apps/gateway', 'gatewaySettings'],
  web: ['web/server', 'webSettings'],
  content: ['apps/content', 'contentSettings'],
  orders: ['apps/orders', 'ordersSettings'],
  projects: ['apps/projects', 'projectsSettings'],
  messaging: ['apps/messaging', 'messagingSettings'],
  identity: ['apps/identity', 'identitySettings'],
} as const;
export type DeployedProcess = keyof typeof declarations;
export const deployedProcesses = Object.keys(declarations) as DeployedProcess[];

export async function settingsSchemaOf(process: DeployedProcess): Promise<z.ZodObject> {
  const [folder, name] = declarations[process];
  const module = (await import(`../../${folder}/config.js`)) as Record<string, z.ZodObject>;
  return module[name]!;
}
