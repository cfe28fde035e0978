/** RFC 2606 reserves these domains for examples: nobody receives what is sent there. */
const examples = /[@.](?:example|example\.(?:com|net|org)|invalid|test|localhost)$/i;

/** Whether an e-mail address is of a domain that is reserved for examples. */
export const isExampleAddress = (address: string): boolean => examples.test(address);
