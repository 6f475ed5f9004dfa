/** Opens a store in an etcd cluster. */
import { EtcdClient, type EtcdClientOptions } from "./client.ts";
import { Follower, type FollowerOptions } from "./follower.ts";
import { KeySpace } from "./key-space.ts";
import { EtcdStore } from "./store.ts";

/** Where etcd is, and under which prefix the objects are. */
export interface EtcdStoreOptions extends EtcdClientOptions {
  /** What all keys in etcd begin with; servers that share it share everything. */
  readonly prefix?: string;
  /** Gets a line when the connection is lost and found. */
  readonly log?: (message: string) => void;
}

export async function openEtcdStore(options: EtcdStoreOptions): Promise<EtcdStore> {
  const { prefix = "/portcullis", log = () => {} } = options;
  const client = new EtcdClient(options);
  const keys = new KeySpace(prefix);
  const store = await startFollowing(client, { keys, log });
  try {
    await store.revision();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function startFollowing(client: EtcdClient, options: Omit<FollowerOptions, "client">): Promise<EtcdStore> {
  try {
    const follower = await Follower.start({ client, ...options });
    return new EtcdStore({ client, keys: options.keys, follower });
  } catch (error) {
    client.close();
    throw error;
  }
}
