import {
  mailContract,
  paymentStep,
  setupContract,
  type SetupGuide,
  setupOperations,
  setupStateOf,
  type SetupStep,
} from '#libs/contracts';
import { RpcClient } from '#libs/transport';
import { type Context, Serves } from '../routing/serves.js';

type StepFacts = Omit<SetupGuide['steps'][number], 'step' | 'postponed'>;

@Serves(setupOperations)
export class SetupController {
  constructor(private readonly rpc: RpcClient) {}

  async getSetupGuide(_: object, { caller }: Context): Promise<SetupGuide> {
    const [content, payments, mail] = await Promise.all([
      this.rpc.call(setupContract.contentSetup, {}, caller),
      this.rpc.call(setupContract.paymentSetup, {}, caller),
      this.rpc.call(mailContract.getMailStatus, {}, caller),
    ]);
    const { siteName, logo, ...later } = content.steps;
    // In the order in which the guide shows them.
    const steps: Record<SetupStep, StepFacts> = {
      siteName,
      logo,
      [paymentStep]: { ...payments, section: null },
      ...later,
      mailSender: { state: setupStateOf(mail.from), section: null, recordId: null },
    };
    return {
      steps: Object.entries(steps).map(([step, facts]) => {
        const name = step as SetupStep;
        return { step: name, ...facts, postponed: content.postponed.includes(name) };
      }),
      demoRecords: content.demoRecords,
    };
  }
}
