package io.capoa.lab.assisted;

import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** Base of tests that run the simulated assisted-service in its own namespace per test. */
@ExtendWith(SharedCluster.class)
abstract class ServiceTest {

    ServiceScene scene;

    @BeforeEach
    void start(TestCluster cluster) {
        scene = new ServiceScene(cluster);
    }

    @AfterEach
    void stop() {
        scene.close();
    }
}
