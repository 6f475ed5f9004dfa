/** The CRD that the examples check objects of. A dashboard would read those of its cluster. */
export const CRDS = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [size]
              x-kubernetes-validations:
                - rule: self.mode != 'fast' || self.size < 5
                  message: fast widgets are small
              properties:
                size: {type: integer, maximum: 10}
                mode: {type: string, enum: [fast, slow]}
`;

export const WIDGET = `apiVersion: example.com/v1
kind: Widget
metadata:
  name: one
spec:
  size: 7
  mode: fast
`;
