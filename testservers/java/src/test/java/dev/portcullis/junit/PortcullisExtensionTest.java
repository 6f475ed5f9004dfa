package dev.portcullis.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

@Portcullis
class PortcullisExtensionTest {
  @RepeatedTest(2)
  void eachMethodStartsWithoutObjectsOfOthers(KubernetesClient client) {
    assertNull(client.configMaps().inNamespace("default").withName("mine").get());
    client.resource(configMap("mine")).create();
  }

  @Test
  void theServerRefusesAsAClusterDoes(KubernetesClient client) {
    var refused = assertThrows(KubernetesClientException.class, () -> client.resource(configMap("Not_A_Name")).create());
    assertEquals(422, refused.getCode());
    assertTrue(refused.getMessage().contains("a lowercase RFC 1123 subdomain"));
  }

  @Test
  void theOfficialClientWorksToo(ApiClient client) throws Exception {
    var names = new CoreV1Api(client).listNamespace().execute().getItems().stream().map(each -> each.getMetadata().getName());
    assertTrue(names.toList().contains("default"));
  }

  @Test
  void aServerThatCannotStartSaysWhy() {
    var failed = assertThrows(IOException.class, () -> new ApiServer(List.of(), List.of("--no-such-flag")).start());
    assertTrue(failed.getMessage().contains("unknown option"), failed.getMessage());
  }

  private static ConfigMap configMap(String name) {
    return new ConfigMapBuilder().withNewMetadata().withName(name).withNamespace("default").endMetadata().build();
  }
}
